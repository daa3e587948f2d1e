/*
 * Finds the schema of a type in the exports of a workspace, or the reason why there is none. Pure.
 */
import { printGroupResource, type GroupVersionResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { printExported, schemaNameIn } from './verify-schema.js';

/** A type by the export that serves it. */
export interface ExportedType extends GroupVersionResource {
  readonly exportName: string;
  /** For messages: `workspace "root:network"`. */
  readonly workspace: string;
  /** Whether it is the workspace of the reader of the answer: the content of other workspaces is not told. */
  readonly isOwn: boolean;
}

/** Why a type has no schema. */
export interface NotExported {
  readonly state: 'not-exported';
  readonly reason: 'ExportNotFound' | 'ResourceNotExported';
  readonly message: string;
  /** Whether the message should say what exports there are. */
  readonly namesExports: boolean;
}

/** Where the schema of a type is. */
export type LocatedSchema = { readonly state: 'located'; readonly schemaName: string } | NotExported;

/** Looks for the type in the exports of its workspace. */
export function locateSchema(exports: readonly KubeObject[], type: ExportedType): LocatedSchema {
  const { exportName, workspace } = type;
  const apiExport = exports.find(({ metadata }) => metadata.name === exportName);
  if (apiExport === undefined) {
    const message = `there is no APIExport ${exportName} in ${workspace}`;
    return { state: 'not-exported', reason: 'ExportNotFound', message, namesExports: true };
  }
  const schemaName = schemaNameIn(apiExport, type);
  if (schemaName !== undefined) return { state: 'located', schemaName };
  const exported = type.isOwn ? `: it exports ${printExported(apiExport)}` : '';
  const message = `APIExport ${exportName} in ${workspace} does not export ${printGroupResource(type)}${exported}`;
  return { state: 'not-exported', reason: 'ResourceNotExported', message, namesExports: false };
}
