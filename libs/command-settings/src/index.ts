export { defineCommandOf, UsageError, type Command, type Definition, type Invocation, type Output, type World } from './command.js';
export { describeFailure } from './describe-failure.js';
export { listenFailure, type FlaggedAddress } from './listen-failure.js';
export { makeFolder } from './make-folder.js';
export {
  parseBareUrl,
  parseBaseHost,
  parseChoice,
  parseCount,
  parseDuration,
  parseListenAddress,
  parsePort,
  parseResourceName,
  parseText,
  type ListenAddress,
  type ResourceName,
} from './parse-values.js';
export { plainText } from './plain-text.js';
export { replaceFile } from './replace-file.js';
export { printResult } from './print-result.js';
export {
  environmentName,
  optional,
  readSettings,
  repeated,
  required,
  toggle,
  variableOf,
  withDefault,
  type Environment,
  type Setting,
  type Settings,
  type ValuesOf,
} from './setting.js';
