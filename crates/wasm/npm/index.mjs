import "./skewer-chess.js";

// Node imports `skewer-chess.js` as a CommonJS module. In a browser it sets the global `Skewer`.
const skewer = globalThis.Skewer ?? (await import("./skewer-chess.js")).default;
const base = import.meta.url.startsWith("file:") && globalThis.process ? undefined : import.meta.url;

export const { Engine, parse } = skewer;
// Options that are not an object are passed on, so that they are refused there.
const located = (options = {}) => (Object(options) === options && !Array.isArray(options) ? { base, ...options } : options);
export const load = async options => skewer.load(located(options));
export const start = async options => Engine.start(located(options));
export default { Engine, load, parse, start };
