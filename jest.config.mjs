export default {
  projects: ['<rootDir>/libs/*', '<rootDir>/apps/*', '<rootDir>/tools', '<rootDir>/e2e'],
  workerIdleMemoryLimit: '512MB',
  // Where several projects run at once, jest does not heed what each says of its own.
  testTimeout: 60_000,
};
