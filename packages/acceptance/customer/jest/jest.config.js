module.exports = {
  projects: [
    { displayName: 'node', testEnvironment: 'node', testPathIgnorePatterns: ['\\.jsdom\\.'] },
    { displayName: 'jsdom', testEnvironment: 'jsdom', testMatch: ['**/*.{both,jsdom}.test.js'] },
  ],
};
