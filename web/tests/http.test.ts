import { afterEach, describe, expect, it, vi } from "vitest";
import { claimSeat, getGames, getStep, getTable, problemOf, rename } from "../src/api/http";
import { serverTime } from "../src/api/time";
import type { Problem } from "../src/api/wire";

/** Answer every request with this, and tell what was asked. */
function answering(body: string, status = 200, headers: Record<string, string> = {}): ReturnType<typeof vi.fn> {
  const asked = vi.fn(() => Promise.resolve(new Response(status === 204 ? null : body, { status, headers })));
  vi.stubGlobal("fetch", asked);
  return asked;
}

async function reasonOf(asking: Promise<unknown>): Promise<string> {
  return asking.then(
    () => "done",
    (error: unknown) => problemOf(error).reason,
  );
}

async function problemBehind(asking: Promise<unknown>): Promise<Problem> {
  return asking.then(
    () => expect.unreachable(),
    (error: unknown) => problemOf(error),
  );
}

afterEach(() => vi.unstubAllGlobals());

describe("a request", () => {
  it("says what the server says", async () => {
    answering('{"reason":"table.used","values":{},"sentence":"this link has been used"}', 409);
    expect(await reasonOf(claimSeat("t", { name: "Ada", key: "k" }))).toBe("table.used");
  });

  it("blames the network when nobody answers", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
    expect(await reasonOf(getGames())).toBe("table.network");
  });

  it("blames the server for an answer that cannot be read", async () => {
    answering("<h1>Bad Gateway</h1>", 502);
    expect(await reasonOf(getGames())).toBe("table.server");
  });

  it("takes an empty answer", async () => {
    answering("", 204);
    expect(await rename("t", { name: "Ada" })).toBeNull();
  });

  it("shows a private table its key", async () => {
    const asked = answering("{}");
    await getTable("t", { key: "a&b" });
    await getTable("t", { watch: "w" });
    await getTable("t");
    expect(asked.mock.calls.map(([address]) => address as unknown)).toEqual([
      "/api/tables/t?key=a%26b",
      "/api/tables/t?watch=w",
      "/api/tables/t",
    ]);
  });

  it("says when to try again, as the answer or its header tells", async () => {
    answering('{"reason":"table.many","values":{"seconds":7},"sentence":""}', 429, { "Retry-After": "9" });
    expect((await problemBehind(getGames())).values).toEqual({ seconds: 7 });
    answering('{"reason":"table.away","values":{},"sentence":""}', 503, { "Retry-After": "9" });
    expect((await problemBehind(getGames())).values).toEqual({ seconds: 9 });
  });

  it("has words for a proxy that lets nobody through", async () => {
    answering("<h1>Too Many Requests</h1>", 429, { "Retry-After": "3" });
    expect(await problemBehind(getGames())).toMatchObject({ reason: "table.many", values: { seconds: 3 } });
    answering("<h1>Service Unavailable</h1>", 503);
    expect(await problemBehind(getGames())).toMatchObject({ reason: "table.busy", values: { seconds: 5 } });
  });

  it("sets the page's idea of the server's time", async () => {
    answering("[]", 200, { Date: "Wed, 01 Jan 2031 10:00:00 GMT" });
    await getGames();
    expect(Math.abs(serverTime() - Date.parse("2031-01-01T10:00:00Z") / 1000)).toBeLessThan(60);
  });

  it("cannot be led elsewhere by a strange id", async () => {
    const asked = answering("{}");
    await getStep("../../x?y", 3);
    expect(asked.mock.calls[0]?.[0]).toBe("/api/tables/..%2F..%2Fx%3Fy/at/3");
  });
});
