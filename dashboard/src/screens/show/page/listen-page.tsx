import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { ShowSettings } from '../../../api/show-settings.ts';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { RadioGroup } from '../../../components/radio-group.tsx';
import { NotesField } from '../../../editor/notes/notes-field.tsx';
import { ColorField, useCoverColors } from '../color-field.tsx';
import { pageFields, type ShowFields } from '../show-fields.ts';
import { ShowForm } from '../show-form.tsx';
import { ShowPage } from '../show-page.tsx';
import { HeaderPicture } from './header-picture.tsx';
import styles from './listen-page.module.css';
import { PagePreview, previewId } from './page-preview.tsx';
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
    <Part title={t`Sections`} action={<ToPreview />}>
      <p className="meta">
        <Trans>
          Drag the sections, or use the arrows. Those with nothing to show don’t appear on the page;
          the episodes always do.
        </Trans>
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

/** Where the preview is far below what it shows. */
function ToPreview() {
  return (
    <span className={styles['toPreview']}>
      <Button
        size="small"
        kind="quiet"
        onPress={() => document.getElementById(previewId)?.scrollIntoView()}
      >
        <ArrowDown size={16} aria-hidden="true" />
        <Trans>Preview</Trans>
      </Button>
    </span>
  );
}

interface PartProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Part({ title, action, children }: PartProps) {
  const id = useId();
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}
