import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useId } from 'react';
import type { ShowSettings } from '../../../api/show-settings.ts';
import { Notice } from '../../../components/notice.tsx';
import { RadioGroup } from '../../../components/radio-group.tsx';
import { NotesField } from '../../../editor/notes/notes-field.tsx';
import { ColorField, useCoverColors } from '../color-field.tsx';
import { pageFields, type ShowFields } from '../show-fields.ts';
import { ShowForm } from '../show-form.tsx';
import { ShowPage } from '../show-page.tsx';
import { HeaderPicture } from './header-picture.tsx';
import styles from './listen-page.module.css';
import { PagePreview } from './page-preview.tsx';
import { SectionList } from './section-list.tsx';

/** How the show's own page is arranged and looks, beside what it becomes. */
export function ListenPage() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Page`} needs={({ edit }) => edit}>
      {(show) => (
        <ShowForm show={show} form="page" names={pageFields} hasBar>
          {(fields) => (
            <div className={styles['screen']} data-whole>
              <div>
                <Sections show={show} fields={fields} />
                <Looks show={show} fields={fields} />
                <Part title={t`Header picture`}>
                  <HeaderPicture show={show} />
                </Part>
              </div>
              <PagePreview show={show} fields={fields} />
            </div>
          )}
        </ShowForm>
      )}
    </ShowPage>
  );
}

interface Props {
  readonly show: ShowSettings;
  readonly fields: ShowFields;
}

function Sections({ show, fields }: Props) {
  const { t } = useLingui();
  const sections = fields.value('page_sections');
  const problem = fields.problem('page_sections') ?? fields.problem('page_text');
  return (
    <Part title={t`Sections`}>
      <p className="meta">
        <Trans>Sections that have nothing to show stay hidden.</Trans>
      </p>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <SectionList
        sections={sections}
        onChange={(changed) => fields.set({ page_sections: [...changed] })}
      />
      {sections.includes('text') && (
        <NotesField
          key={show.id}
          label={t`Your own text`}
          html={fields.value('page_text') ?? ''}
          onChange={({ html }) => fields.set({ page_text: html === '' ? null : html })}
        />
      )}
    </Part>
  );
}

function Looks({ show, fields }: Props) {
  const { t } = useLingui();
  const { own, swatches } = useCoverColors(show);
  return (
    <Part title={t`Colors`}>
      <ColorField
        label={t`Page color`}
        {...fields.text('brand_color')}
        own={own}
        // The first one is the default.
        swatches={swatches.slice(1)}
      />
      <RadioGroup
        label={t`Page background`}
        value={fields.value('page_theme')}
        onChange={(value) => fields.set({ page_theme: value })}
        choices={[
          { value: 'auto', label: t`Listener’s preference` },
          { value: 'light', label: t`Light` },
          { value: 'dark', label: t`Dark` },
        ]}
      />
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
