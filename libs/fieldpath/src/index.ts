export { EACH, printFieldPath, printStep, type FieldPath, type PathStep } from './field-path.js';
export { FIELD_PATH_MAX_LENGTH, FIELD_PATH_PATTERN, parseFieldPath, type FieldPathProblem } from './parse-field-path.js';
export { ReferenceTree, type ReferencePaths, type ReferenceSearch, type WantedReference } from './reference-tree.js';
export { readFieldPath } from './read-field-path.js';
export { canPair, readReferences, type Reference } from './read-references.js';
export { couldHold, PageScan } from './could-hold.js';
export { elementsOf, type Elements } from './elements.js';
export { JsonProjection, type WholePaths } from './json-projection.js';
export { columnPath, pathOfColumn, sameAsColumn } from './column-path.js';
