import { useLingui } from '@lingui/react/macro';
import { appleCategories } from '../../../../server/src/lib/apple-categories.ts';
import { NativeSelect } from '../../components/native-select.tsx';
import type { ShowFields } from './show-form.tsx';

/** Apple's categories, by the English names that feeds have. */
export function CategoryFields({ fields }: { readonly fields: ShowFields }) {
  const { t } = useLingui();
  const category = fields.value('category');
  const subcategory = fields.value('subcategory');
  const within = appleCategories[category ?? ''] ?? [];
  const { problem } = fields.text('category');
  return (
    <NativeSelect
      label={t`Category`}
      value={pathOf(category, subcategory)}
      onChange={(path) => {
        const [main = '', sub] = path.split(' > ');
        fields.set({ category: main === '' ? null : main, subcategory: sub ?? null });
      }}
      hint={t`The one that fits best. Apple shows the show there.`}
      problem={problem ?? fields.text('subcategory').problem}
    >
      <option value="">{t`None yet`}</option>
      {category !== null && !isKnown(category, subcategory, within) && (
        <option value={pathOf(category, subcategory)}>{pathOf(category, subcategory)}</option>
      )}
      {Object.entries(appleCategories).map(([name, subcategories]) => (
        <optgroup key={name} label={name}>
          <option value={name}>{name}</option>
          {subcategories.map((sub) => (
            <option key={sub} value={pathOf(name, sub)}>
              {pathOf(name, sub)}
            </option>
          ))}
        </optgroup>
      ))}
    </NativeSelect>
  );
}

function pathOf(category: string | null, subcategory: string | null): string {
  if (category === null) return '';
  return subcategory === null ? category : `${category} > ${subcategory}`;
}

function isKnown(category: string, subcategory: string | null, within: readonly string[]) {
  if (!Object.hasOwn(appleCategories, category)) return false;
  return subcategory === null || within.includes(subcategory);
}
