// A lint rule: imports between the rooms of a project run downwards (rooms.mjs), those of types too.
import { dirname, resolve } from 'node:path';
import { isForSpecs, placeOf, roofOf } from './rooms.mjs';

/** @type {import('eslint').Rule.RuleModule} */
export const roomOrder = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      upwards: '{{from}} may not import {{to}}, a higher room (tools/checks/rooms.mjs): move the file to where it belongs',
      forSpecs: 'what ships may not import what serves specs alone',
      noRoom: '{{folder}} is no room yet: add it to tools/checks/rooms.mjs and to docs/architecture.md',
    },
  },
  create(context) {
    const here = placeOf(context.filename);
    if (here === undefined || isForSpecs(context.filename)) return {};
    const check = (node) => {
      const specifier = node?.value;
      if (typeof specifier !== 'string') return;
      const there = placeImported(specifier, context.filename, here.project);
      if (there === undefined) return;
      if (there === 'for specs') context.report({ node, messageId: 'forSpecs' });
      else if (there.project === here.project && there.height > here.height)
        context.report({ node, messageId: 'upwards', data: { from: here.folder, to: there.folder } });
    };
    return {
      Program: (node) => {
        if (here.height === -1) context.report({ node, messageId: 'noRoom', data: { folder: here.folder } });
      },
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
    };
  },
};

// A project's own name leads to its index.
function placeImported(specifier, file, project) {
  const own = `@dep-ctrl/${project.slice(project.indexOf('/') + 1)}`;
  if (specifier === own || specifier.startsWith(`${own}/`)) return roofOf(project);
  if (!specifier.startsWith('.')) return undefined;
  const target = resolve(dirname(file), specifier);
  return isForSpecs(target) ? 'for specs' : placeOf(target);
}
