import { useLingui } from '@lingui/react/macro';
import { appleCategories } from '../../../../server/src/lib/apple-categories.ts';
import { NativeSelect } from '../../components/native-select.tsx';
import type { Category, ShowFields } from './show-fields.ts';

/** Apple's categories, by the English names that feeds have: one, and perhaps a second. */
export function CategoryFields({ fields }: { readonly fields: ShowFields }) {
  const { t } = useLingui();
  const categories = fields.value('categories');
  const [first, second] = categories;
  const choose = (index: number, path: string) => {
    const chosen = path === '' ? [] : [fromPath(path)];
    fields.set({ categories: categories.toSpliced(index, 1, ...chosen) });
  };
  return (
    <>
      <CategorySelect
        label={t`Category`}
        hint={t`The one that fits best. Apple lists the show there.`}
        value={first}
        other={second}
        onChange={(path) => choose(0, path)}
        problem={fields.problem('category') ?? fields.problem('subcategory')}
      />
      <CategorySelect
        label={t`Second category`}
        hint={t`Apple uses only the first category; other apps use both.`}
        value={second}
        other={first}
        onChange={(path) => choose(1, path)}
        problem={fields.problem('other_categories[0]')}
        isDisabled={first === undefined}
      />
    </>
  );
}

interface SelectProps {
  readonly label: string;
  readonly hint: string;
  readonly value: Category | undefined;
  /** It cannot be chosen twice. */
  readonly other: Category | undefined;
  readonly onChange: (path: string) => void;
  readonly problem: string | undefined;
  readonly isDisabled?: boolean;
}

function CategorySelect({ value, other, ...props }: SelectProps) {
  const { t } = useLingui();
  const taken = pathOf(other);
  return (
    <NativeSelect {...props} value={pathOf(value)}>
      <option value="">{t`None yet`}</option>
      {value !== undefined && !isKnown(value) && (
        <option value={pathOf(value)}>{pathOf(value)}</option>
      )}
      {Object.entries(appleCategories).map(([category, subcategories]) => (
        <optgroup key={category} label={category}>
          {[null, ...subcategories].map((subcategory) => {
            const path = pathOf({ category, subcategory });
            return (
              <option key={path} value={path} disabled={path === taken}>
                {path}
              </option>
            );
          })}
        </optgroup>
      ))}
    </NativeSelect>
  );
}

const separator = ' > ';

export function pathOf(value: Category | undefined): string {
  if (value === undefined) return '';
  const { category, subcategory } = value;
  return subcategory === null ? category : `${category}${separator}${subcategory}`;
}

function fromPath(path: string): Category {
  const [category = '', subcategory = null] = path.split(separator);
  return { category, subcategory };
}

function isKnown({ category, subcategory }: Category): boolean {
  if (!Object.hasOwn(appleCategories, category)) return false;
  return subcategory === null || appleCategories[category]?.includes(subcategory) === true;
}
