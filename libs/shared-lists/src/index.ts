export { objectNamed, objectsPages, type ObjectPieces, type ObjectsPage } from './objects-page.js';
export type { FinishedList, ListObserver } from './observed-list.js';
export { SharedLists, type ListEnd, type ListReader, type LongLists, type OpenList, type SharedListsDependencies } from './shared-lists.js';
export { rowsPages, type RowsPage, type TableQuestion } from './table-page.js';
export {
  OBJECT_TIMEOUT_MS,
  WorkspaceLists,
  type Reader,
  type WholeReader,
  type WorkspaceList,
  type WorkspaceListsDependencies,
} from './workspace-lists.js';
export {
  defaultReadLimits,
  WorkspacePages,
  type OneObject,
  type PagedList,
  type ReadLimits,
  type WorkspacePagesDependencies,
  type WorkspaceReader,
} from './workspace-pages.js';
