import { afterEach, describe, expect, it, vi } from "vitest";
import { claimSeat, getGames, getStep, problemOf, rename } from "../src/api/http";

/** Answer every request with this, and tell what was asked. */
function answering(body: string, status = 200): ReturnType<typeof vi.fn> {
  const asked = vi.fn(() => Promise.resolve(new Response(status === 204 ? null : body, { status })));
  vi.stubGlobal("fetch", asked);
  return asked;
}

async function reasonOf(asking: Promise<unknown>): Promise<string> {
  return asking.then(
    () => "done",
    (error: unknown) => problemOf(error).reason,
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

  it("cannot be led elsewhere by a strange id", async () => {
    const asked = answering("{}");
    await getStep("../../x?y", 3);
    expect(asked.mock.calls[0]?.[0]).toBe("/api/tables/..%2F..%2Fx%3Fy/at/3");
  });
});
