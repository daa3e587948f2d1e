export default { projects: ['<rootDir>/libs/*', '<rootDir>/apps/*', '<rootDir>/tools', '<rootDir>/e2e'], workerIdleMemoryLimit: '512MB' };
