/** Signs on buttons, as paths in a square of 24. */
export const signs = {
  text: "M4 5h16v2.2H4zM4 10.9h16v2.2H4zM4 16.8h10V19H4z",
  talk: "M4 4h16v12.2h-9L6 21v-4.8H4zM6.2 6.2V14h2v2.3l2.1-2.3h7.5V6.2z",
  more: "M5 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM19 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  undo: "M9.5 3.6 4 9.1l5.5 5.5v-4.3h4.2a4 4 0 0 1 0 8H8v2.2h5.7a6.2 6.2 0 0 0 0-12.4H9.5z",
  save: "M10.9 3h2.2v9.2l3.4-3.4 1.6 1.6L12 16.5l-6.1-6.1 1.6-1.6 3.4 3.4zM4 18.8h16V21H4z",
  first: "M5 4h2.4v16H5zM20 4v16L8.5 12z",
  back: "M17 4v16L6 12z",
  play: "M6 3.5v17L20 12z",
  pause: "M6 4h4.2v16H6zM13.8 4H18v16h-4.2z",
  forward: "M7 4v16l11-8z",
  last: "M16.6 4H19v16h-2.4zM4 4v16l11.5-8z",
};
