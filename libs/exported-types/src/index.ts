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
} from './bindings/api-binding.js';
export {
  bindExport,
  bindingManifest,
  unbindExport,
  type AcceptedClaim,
  type BindOptions,
  type Bound,
  type WantedBinding,
} from './bindings/bind-export.js';
export { BindingReads } from './bindings/binding-reads.js';
export { typesOfBindings, type BoundType } from './bindings/types-of-bindings.js';
export {
  cellsOf,
  defaultDescription,
  readBoundSchema,
  sizeOf,
  versionToRead,
  type BoundSchema,
  type PrinterColumn,
  type SchemaVersion,
} from './schemas/bound-schema.js';
export { readSlices, type SliceContent } from './exports/endpoint-slices.js';
export { ExportReader, type ExportReaderDependencies, type FoundSchema, type NamedType } from './exports/export-reader.js';
export { isLabelledForAnother, readExport, refersTo, type ExportNow } from './bindings/moved-export.js';
export { probeGone, servesFormer, uidsOf } from './bindings/moved-types.js';
export { locateSchema, type ExportedType, type LocatedSchema, type NotExported } from './schemas/locate-schema.js';
export { printFirst } from './schemas/first-names.js';
export { printNear } from './schemas/near-names.js';
export { SchemaMemory, type ReadSchema } from './bindings/schema-memory.js';
export { isNameOf, servedTypes, versionServing, type ServedType } from './exports/served-types.js';
export { schemaNameIn, verifySchema, type NamedKind, type Verification, type WrongReason } from './schemas/verify-schema.js';
