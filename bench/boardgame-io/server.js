// boardgame.io's own server with a game that does next to nothing: `node server.js PORT [FOLDER]`.
// With a folder the matches are kept in files, else in memory. bench/server_process.py starts it.

const { Server, FlatFile } = require("boardgame.io/server");

const Counter = {
  name: "counter",
  setup: () => ({ count: 0 }),
  moves: {
    click: ({ G }) => {
      G.count += 1;
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
};

const [port, folder] = process.argv.slice(2);
const kept = folder ? { db: new FlatFile({ dir: folder, logging: false }) } : {};
const server = Server({ games: [Counter], origins: [/localhost/], ...kept });
server.run(Number(port), () => console.log("ready"));
