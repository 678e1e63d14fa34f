const { isNightly } = require('../nightly-files.js');

/** For `jest --filter`: the files of every day. */
module.exports = async (files) => ({ filtered: files.filter((file) => !isNightly(file)) });
