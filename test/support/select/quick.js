const { isNightly } = require('../nightly-files.js');
const { needsOf } = require('../needs.js');

const needsServer = (file) => {
  const needs = needsOf(file);
  return ['postgres', 'temporal', 'own servers'].some((each) => needs.has(each));
};

/** For `jest --filter`: those files of every day that need no server. */
module.exports = async (files) => ({
  filtered: files.filter((file) => !isNightly(file) && !needsServer(file)),
});
