import { Trans, useLingui } from '@lingui/react/macro';
import type { ShowSettings } from '../../api/show-settings.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { NativeSelect } from '../../components/native-select.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { Section } from '../../components/section.tsx';
import { TextField } from '../../components/text-field.tsx';
import { WebsiteField } from '../../components/website-field.tsx';
import { CategoryFields } from './category-fields.tsx';
import { LanguageOptions } from './language-options.tsx';
import { PlayerForm } from './player-form.tsx';
import { PublicationForm } from './publication-form.tsx';
import { ShowForm } from './show-form.tsx';
import { ShowPage } from './show-page.tsx';

/** What listeners and directories read about a show. */
export function Texts() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Details`} needs={({ edit }) => edit}>
      {(show) => (
        <>
          <Section
            title={t`Name and description`}
            about={<Trans>What people read before they listen, in every app.</Trans>}
          >
            <Words show={show} />
          </Section>
          <Section
            title={t`Kind`}
            about={<Trans>Directories sort shows by category and language.</Trans>}
          >
            <Kind show={show} />
          </Section>
          <Section
            title={t`Contact and links`}
            about={<Trans>All of this is public: it stands in the feed.</Trans>}
          >
            <Contact show={show} />
          </Section>
          <Section title={t`Player and pages`}>
            <PlayerForm show={show} />
          </Section>
          <Section title={t`Publication`}>
            <PublicationForm show={show} />
          </Section>
        </>
      )}
    </ShowPage>
  );
}

interface Props {
  readonly show: ShowSettings;
}

function Words({ show }: Props) {
  const { t } = useLingui();
  return (
    <ShowForm show={show} form="words" names={['title', 'subtitle', 'author', 'description']}>
      {({ text }) => (
        <>
          <TextField label={t`Title`} {...text('title')} maxLength={500} isRequired />
          <TextField label={t`Subtitle`} {...text('subtitle')} maxLength={1000} />
          <TextField
            label={t`Author`}
            hint={t`The person, group or company that makes the show.`}
            {...text('author')}
            maxLength={300}
            isRequired
          />
          <TextField
            label={t`Description`}
            hint={t`What the show is about, and for whom. Feeds have at most 4,000 bytes of it.`}
            {...text('description')}
            rows={6}
          />
        </>
      )}
    </ShowForm>
  );
}

function Kind({ show }: Props) {
  const { t } = useLingui();
  return (
    <ShowForm show={show} form="kind" names={['categories', 'language', 'show_type', 'explicit']}>
      {(fields) => (
        <>
          <CategoryFields fields={fields} />
          <NativeSelect label={t`Language`} {...fields.text('language')}>
            <LanguageOptions current={show.language} />
          </NativeSelect>
          <RadioGroup
            label={t`Order of the episodes`}
            value={fields.value('show_type')}
            onChange={(value) => fields.set({ show_type: value })}
            choices={[
              { value: 'episodic', label: t`Each stands alone; the newest comes first` },
              { value: 'serial', label: t`They tell one story; the oldest comes first` },
            ]}
          />
          <Checkbox
            isSelected={fields.value('explicit')}
            onChange={(value) => fields.set({ explicit: value })}
          >
            <Trans>Explicit: has language or topics that are not for children</Trans>
          </Checkbox>
        </>
      )}
    </ShowForm>
  );
}

function Contact({ show }: Props) {
  const { t } = useLingui();
  return (
    <ShowForm
      show={show}
      form="contact"
      names={[
        ...(['website_url', 'owner_name', 'owner_email', 'copyright'] as const),
        ...(['funding_url', 'funding_text'] as const),
      ]}
    >
      {({ text }) => (
        <>
          <WebsiteField label={t`Website`} {...text('website_url')} />
          <TextField label={t`Name of the owner`} {...text('owner_name')} />
          <TextField
            label={t`Email address of the owner`}
            hint={t`Spotify and others send a code there to prove that the show is yours.`}
            type="email"
            {...text('owner_email')}
          />
          <TextField
            label={t`Holder of the copyright`}
            hint={t`A name, without © and year.`}
            {...text('copyright')}
          />
          <WebsiteField label={t`Page where listeners support the show`} {...text('funding_url')} />
          <TextField
            label={t`Words on the button that leads there`}
            {...text('funding_text')}
            maxLength={128}
          />
        </>
      )}
    </ShowForm>
  );
}
