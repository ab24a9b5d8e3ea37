import Type, { type TOptional, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import {
  type ElementChanges,
  type ElementEntry,
  type ElementName,
  type ElementOwner,
  type ElementValue,
  type ElementValues,
  elementsOf,
  valuesOf,
} from '../../../../lib/fields/feed-elements.ts';
import { domainNames, type SnakeCase, wireName } from '../../../../lib/wire-names.ts';
import { entry, Text } from './schema-parts.ts';

/** Lists of feed elements under their names in seed files and commands. */
export type ElementLists = { readonly [Name in ElementName as SnakeCase<Name>]?: ElementEntry[] };

type ElementListSchemas = {
  readonly [Name in keyof ElementLists]-?: TOptional<TUnsafe<Required<ElementLists>[Name]>>;
};

function schemaOfValue(value: ElementValue, owner: ElementOwner): TSchema {
  switch (value.kind) {
    case 'flag':
      return Type.Boolean();
    case 'whole':
      return Type.Integer();
    case 'seconds':
      return Type.Number();
    case 'elements':
      return Type.Array(schemaOfEntry(value.values, owner));
    default:
      return Text;
  }
}

function schemaOfEntry(values: ElementValues, owner: ElementOwner): TSchema {
  const named = valuesOf(values, owner).map(([name, value]) => {
    return [wireName(name), Type.Optional(schemaOfValue(value, owner))];
  });
  return entry(Object.fromEntries(named) as TProperties);
}

function schemasOfLists(owner: ElementOwner): ElementListSchemas {
  const named = elementsOf(owner).map(([name, { values }]) => {
    return [wireName(name), Type.Optional(Type.Array(schemaOfEntry(values, owner)))];
  });
  return Object.fromEntries(named) as ElementListSchemas;
}

/** The elements that podcasts and episodes may have. The verbs check everything beyond the schema. */
export const podcastElementSchemas = schemasOfLists('show');
export const episodeElementSchemas = schemasOfLists('episode');

/** The given lists under the names of the domain. */
export function readElementLists(owner: ElementOwner, lists: ElementLists): ElementChanges {
  const values = new Map<string, unknown>(Object.entries(lists));
  const given = elementsOf(owner).flatMap(([name]) => {
    const value = values.get(wireName(name));
    return value === undefined ? [] : [[name, domainNames(value)]];
  });
  return Object.fromEntries(given) as ElementChanges;
}
