import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { roomOrder } from './tools/checks/room-order.mjs';

// Who may import whom at run time (docs/architecture.md). Tags are set in each project.json.
const depConstraints = [
  { sourceTag: 'lib:kcp-names', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'lib:fieldpath', onlyDependOnLibsWithTags: ['lib:kcp-names'] },
  { sourceTag: 'lib:rule-registry', onlyDependOnLibsWithTags: ['lib:kcp-names', 'lib:fieldpath'] },
  { sourceTag: 'lib:kcp-client', onlyDependOnLibsWithTags: ['lib:kcp-names'] },
  { sourceTag: 'lib:kcp-controller', onlyDependOnLibsWithTags: ['lib:kcp-names', 'lib:kcp-client'] },
  { sourceTag: 'lib:workspace-resolver', onlyDependOnLibsWithTags: ['lib:kcp-names', 'lib:kcp-client'] },
  { sourceTag: 'lib:workspace-lifecycle', onlyDependOnLibsWithTags: ['lib:kcp-names', 'lib:kcp-client', 'lib:workspace-resolver'] },
  { sourceTag: 'lib:webhook-installer', onlyDependOnLibsWithTags: ['lib:kcp-names', 'lib:kcp-client'] },
  { sourceTag: 'lib:fair-shares', onlyDependOnLibsWithTags: ['lib:kcp-names', 'lib:kcp-client'] },
  { sourceTag: 'lib:shared-lists', onlyDependOnLibsWithTags: ['lib:fair-shares', 'lib:fieldpath', 'lib:kcp-client', 'lib:kcp-names'] },
  {
    sourceTag: 'lib:admission-server',
    onlyDependOnLibsWithTags: ['lib:fair-shares', 'lib:fieldpath', 'lib:kcp-client', 'lib:kcp-names', 'lib:webhook-installer'],
  },
  { sourceTag: 'lib:kcp-objects', onlyDependOnLibsWithTags: ['lib:kcp-client', 'lib:kcp-names'] },
  {
    sourceTag: 'lib:exported-types',
    onlyDependOnLibsWithTags: [
      'lib:fair-shares',
      'lib:shared-lists',
      'lib:fieldpath',
      'lib:kcp-client',
      'lib:kcp-names',
      'lib:kcp-objects',
    ],
  },
  {
    sourceTag: 'lib:ordered-teardown',
    onlyDependOnLibsWithTags: ['lib:exported-types', 'lib:kcp-client', 'lib:kcp-names', 'lib:kcp-objects', 'lib:workspace-lifecycle'],
  },
  { sourceTag: 'lib:command-settings', onlyDependOnLibsWithTags: ['lib:kcp-names'] },
  { sourceTag: 'lib:embedded-kcp', onlyDependOnLibsWithTags: ['lib:kcp-names'] },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:tests', onlyDependOnLibsWithTags: ['type:lib', 'type:app'] },
];

// Specs may start the embedded kcp; what ships may not.
const specConstraints = [
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:tests', onlyDependOnLibsWithTags: ['type:lib', 'type:app'] },
];

// allowCircularSelfDependency: examples import their own lib by its name, as its users do.
const boundaries = (constraints, bannedInLibs) => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allowCircularSelfDependency: true,
    allow: [],
    // `dep-ctrl dev` loads it late; what stages the app's specs loads it at once.
    checkDynamicDependenciesExceptions: bannedInLibs ? [] : ['@dep-ctrl/embedded-kcp'],
    depConstraints: [
      ...constraints,
      ...(bannedInLibs
        ? [
            {
              sourceTag: 'type:lib',
              onlyDependOnLibsWithTags: ['type:lib'],
              bannedExternalImports: ['inversify', 'winston', 'express', 'commander', 'prom-client'],
            },
          ]
        : []),
    ],
  },
];

export default [
  {
    ignores: [
      '**/dist/**',
      '**/out-tsc/**',
      '**/bundle/**',
      '**/node_modules/**',
      '**/*.cjs',
      '**/.nx/**',
      '**/.dep-ctrl/**',
      '**/coverage/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...nx.configs['flat/base'],
  ...[...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked].map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { rooms: { rules: { order: roomOrder } } },
    rules: {
      'rooms/order': 'error',
      '@nx/enforce-module-boundaries': boundaries(depConstraints, true),
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // There are no enums (erasableSyntaxOnly); looking for them took a tenth of the time of all rules.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-console': 'error',
      complexity: ['error', 20],
      'max-depth': ['error', 4],
      'max-params': ['error', 5],
    },
  },
  {
    files: ['**/*.spec.ts', '**/spec-support/**/*.ts', '**/testing/**/*.ts', '**/examples/**/*.ts', '**/*.e2e.ts'],
    rules: {
      '@nx/enforce-module-boundaries': boundaries(specConstraints, false),
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='jest'][property.name=/^(mock|unstable_mockModule|doMock)$/]",
          message: 'no mocks of what we own: use a fake from ./testing or the embedded kcp',
        },
      ],
    },
  },
  {
    // Projects of their own outside the workspace: what they may import is what they install.
    files: ['examples/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': 'off',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'before', 'after', 'beforeEach', 'afterEach'] }],
        },
      ],
    },
  },
];
