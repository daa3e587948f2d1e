export { TestKcp, type Access } from './test-kcp.js';
export { eventually } from './eventually.js';
export type { ExpectedFault } from './expected-faults.js';
export type { TestWorkspace } from './set-up.js';
export type {
  BindingSetup,
  ClaimSetup,
  ExportSetup,
  FieldSetup,
  KcpSetup,
  RightsRule,
  ShortType,
  TestKcpOptions,
  TypeSetup,
  UserSetup,
  WorkspaceSetup,
} from './kcp-setup.js';
