import { describe, expect, it } from "vitest";
import { find } from "../src/frame/routes";

describe("an address", () => {
  it.each([
    ["/table/a1", { id: "a1", watchKey: null }],
    ["/watch/a1/k2", { id: "a1", watchKey: "k2" }],
    ["/join/a1/k2", { id: "a1", key: "k2" }],
    ["/game/a1/", { id: "a1", place: null }],
    ["/g/a1", { id: "a1", place: null }],
    ["/g/a1/12", { id: "a1", place: 12 }],
    ["/g/a1/twelve", { id: "a1", place: null }],
    ["/continue/a1/7", { id: "a1", n: 7 }],
    ["/new/mosaix?for=friends", { game: "mosaix", preset: "friends" }],
    ["/about?part=licences", { part: "licences" }],
    ["/table/%zz", { id: "%zz", watchKey: null }],
  ])("%s gives its page what it needs", (address, props) => {
    expect(find(address).props).toEqual(props);
  });

  it.each(["/table", "/join/a1", "/join/a/b/c", "/archive/2", "/x"])("%s leads nowhere", (address) => {
    expect(find(address).props).toEqual({});
  });
});
