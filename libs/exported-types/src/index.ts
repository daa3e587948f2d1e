export {
  API_BINDING_PARTS,
  boundResourcesOf,
  exporterIn,
  exportReferenceOf,
  isBindingOf,
  readApiBinding,
  type ApiBinding,
  type BoundResource,
  type SchemaRef,
} from './api-binding.js';
export { BindingReads } from './binding-reads.js';
export {
  cellsOf,
  defaultDescription,
  readBoundSchema,
  sizeOf,
  versionToRead,
  type BoundSchema,
  type PrinterColumn,
  type SchemaVersion,
} from './bound-schema.js';
export { readSlices, type SliceContent } from './endpoint-slices.js';
export { ExportReader, type ExportReaderDependencies, type FoundSchema, type NamedType } from './export-reader.js';
export { formerCluster, isLabelledForAnother, mendLabel, readExport, refersTo, withoutLabel, type ExportNow } from './moved-export.js';
export { probeGone, servesFormer, uidsOf } from './moved-types.js';
export { locateSchema, type ExportedType, type LocatedSchema, type NotExported } from './locate-schema.js';
export { printFirst } from './first-names.js';
export { printNear } from './near-names.js';
export { SchemaMemory, type ReadSchema } from './schema-memory.js';
export { isNameOf, servedTypes, versionServing, type ServedType } from './served-types.js';
export { schemaNameIn, verifySchema, type NamedKind, type Verification, type WrongReason } from './verify-schema.js';
