import Type, { type TSchema, type TUnsafe } from 'typebox';
import type { Field, FieldList, WireValues } from '../../../lib/fields/field.ts';
import { wireName } from '../../../lib/wire-names.ts';
import { nullable } from './fields.ts';

type Schemas<Values> = { readonly [Name in keyof Values]: TUnsafe<Values[Name]> };

/** The fields of a list under the names of the private API. The domain checks their bounds. */
export function fieldSchemas<L extends FieldList>(list: L): Schemas<WireValues<L>> {
  const named = Object.entries(list).map(([name, field]) => {
    const schema = typeOf(field);
    return [wireName(name), field.nullable === true ? nullable(schema) : schema];
  });
  return Object.fromEntries(named) as Schemas<WireValues<L>>;
}

function typeOf(field: Field): TSchema {
  const { about: description } = field;
  switch (field.kind) {
    case 'number':
      return Type.Integer({ description });
    case 'flag':
      return Type.Boolean({ description });
    case 'choice':
      return Type.Enum([...field.choices], { type: 'string', description });
    case 'categories':
      return Type.Array(
        Type.Object({ category: Type.String(), subcategory: nullable(Type.String()) }),
        { description },
      );
    case 'funding':
      return Type.Array(Type.Object({ url: Type.String(), text: nullable(Type.String()) }), {
        description,
      });
    default:
      return Type.String({ description });
  }
}
