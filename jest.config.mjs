export default { projects: ['<rootDir>/libs/*', '<rootDir>/apps/*', '<rootDir>/tools'], workerIdleMemoryLimit: '512MB' };
