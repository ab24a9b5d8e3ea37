import { Trans } from '@lingui/react/macro';
import { buttonClass } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';

interface Props {
  readonly title: string;
}

export function DataCopy({ title }: Props) {
  return (
    <Section title={title} about={<Trans>Everything we store about you.</Trans>}>
      <a className={buttonClass('plain')} href="/app/api/account/export" download>
        <Trans>Download a copy</Trans>
      </a>
    </Section>
  );
}
