import { useLingui } from '@lingui/react/macro';
import { Select } from '../../../components/select.tsx';
import { type Locale, languages } from '../../../words/languages.ts';
import { chooseLanguage } from '../../../words/locales.ts';
import styles from '../settings.module.css';

export function LanguageChoice() {
  const { t, i18n } = useLingui();
  const options = Object.entries(languages).map(([value, label]) => ({
    value: value as Locale,
    label,
  }));
  return (
    <div className={styles['short']}>
      <Select
        label={t`Language`}
        options={options}
        value={i18n.locale as Locale}
        onChange={chooseLanguage}
      />
    </div>
  );
}
