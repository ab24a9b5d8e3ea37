import { transformAsync, types } from '@babel/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/**
 * Compiles the English messages of the source when the app is built, as Lingui compiles catalogs. So
 * browsers need no parser of messages.
 */
export const compileMessages: Plugin = {
  name: 'compile-messages',
  enforce: 'post',
  transform: {
    filter: { id: /dashboard[\\/]src[\\/].*\.tsx?$/, code: /message:/ },
    async handler(code) {
      const result = await transformAsync(code, {
        plugins: [{ visitor: { ObjectExpression: compileDescriptor } }],
        configFile: false,
        babelrc: false,
        sourceMaps: true,
      });
      return result?.code == null ? undefined : { code: result.code, map: result.map ?? null };
    },
  },
};

/** A descriptor as Lingui's macros write it: `{ id: 'a1B2c3', message: 'Hello {name}', … }`. */
function compileDescriptor({ node }: { node: types.ObjectExpression }): void {
  const message = findText(node, 'message');
  if (message === undefined || findText(node, 'id') === undefined) return;
  const compiled = compileMessage(message.value.value);
  message.property.value = types.valueToNode(compiled) as types.Expression;
}

function findText(node: types.ObjectExpression, name: string) {
  for (const property of node.properties) {
    if (!types.isObjectProperty(property)) continue;
    const isNamed = types.isIdentifier(property.key, { name });
    if (isNamed && types.isStringLiteral(property.value)) {
      return { property, value: property.value };
    }
  }
  return undefined;
}
