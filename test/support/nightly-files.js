const path = require('node:path');
const parts = require('../nightly.json');

const ROOT = path.join(__dirname, '..', '..');
const nightly = Object.values(parts).flatMap(({ files }) => files);

/** Whether a test file, by its absolute path, is left to `npm run test:nightly`. */
function isNightly(file) {
  const name = path.relative(ROOT, file).replaceAll('\\', '/');
  return nightly.some((each) => (each.endsWith('/') ? name.startsWith(each) : name === each));
}

module.exports = { isNightly };
