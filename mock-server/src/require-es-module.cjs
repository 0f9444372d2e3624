// For `require` in CommonJS: the build makes `<entry>.cjs` of this file, beside `<entry>.js`. Jest replaces `require` and
// `node:module`, and its versions cannot load ES modules without an option of Node. Its `Module` extends the one of Node,
// which can. It returns the ES module itself, so the types of the ES module are right (attw's rule `false-esm` expects
// others).
const { completePlatform } = require('../../packages/client/src/testing/complete-platform.ts');

// Jest's jsdom lacks some classes that a client needs, and `fetch`.
completePlatform(true);

const replaced = require('node:module');
const original = Object.getPrototypeOf(replaced);
const { createRequire } = 'createRequire' in original ? original : replaced;

module.exports = createRequire(__filename)(__filename.replace(/\.cjs$/, '.js'));
