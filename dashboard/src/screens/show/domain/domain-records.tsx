import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { ExpectedRecords, OwnDomain } from '../../../api/domain.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { Section } from '../../../components/section.tsx';

interface Props {
  readonly domain: OwnDomain;
  readonly expected: ExpectedRecords;
}

const isAddress = (place: string) => /^[\d.]+$|:/.test(place);

/** What a CNAME record has to name; undefined: only addresses are right. */
export function cnameTarget({ target }: ExpectedRecords): string | undefined {
  const names = target.filter((place) => !isAddress(place));
  return names.length === 1 ? names[0] : undefined;
}

/** A name or an address in a sentence of any language. */
export const asCode = (text: string) => (
  <code key={text} dir="ltr" translate="no">
    {text}
  </code>
);

/** What to enter where one manages the domain. */
export function DomainRecords({ domain, expected }: Props) {
  const { t } = useLingui();
  const { host } = domain;
  const name = cnameTarget(expected);
  const [short, full] = ['podcast', 'podcast.example.com'].map(asCode);
  const [shortTxt, fullTxt] = ['_podstead.podcast', '_podstead.podcast.example.com'].map(asCode);
  return (
    <Section
      title={t`Records to add`}
      about={
        <>
          <p>
            <Trans>
              Open the DNS settings of your domain, where you bought it or manage its website. Add
              these two records there.
            </Trans>
          </p>
          <p>
            <Trans>
              Some providers add your domain to names automatically. There, enter only what is in
              front of your domain. If you own example.com, that’s {short} instead of {full}, and{' '}
              {shortTxt} instead of {fullTxt}.
            </Trans>
          </p>
        </>
      }
    >
      <h3>
        <Trans>1. TXT record: the domain is yours</Trans>
      </h3>
      <CopyField label={t`Name of the TXT record`} value={expected.txt_name} />
      <CopyField label={t`Value of the TXT record`} value={expected.txt} />
      {name === undefined ? (
        <>
          <h3>
            <Trans>2. Address records: the domain points here</Trans>
          </h3>
          <Addresses host={host} addresses={expected.addresses} />
        </>
      ) : (
        <>
          <h3>
            <Trans>2. CNAME record: the domain points here</Trans>
          </h3>
          <CopyField label={t`Name of the CNAME record`} value={host} />
          <CopyField label={t`Value of the CNAME record`} value={name} />
          <p>
            <Trans>
              Delete any other A, AAAA or CNAME record with this name: all of them have to point
              here. If your provider offers a proxy for the record, turn it off.
            </Trans>
          </p>
          {expected.addresses.length > 0 && (
            <details>
              <summary>{t`If a CNAME record isn’t possible`}</summary>
              <p>
                <Trans>
                  A domain without anything in front of it, such as example.com, can’t have a CNAME
                  record. Add these instead, and change them if the addresses change.
                </Trans>
              </p>
              <Addresses host={host} addresses={expected.addresses} />
            </details>
          )}
        </>
      )}
    </Section>
  );
}

function Addresses({
  host,
  addresses,
}: {
  readonly host: string;
  readonly addresses: readonly string[];
}): ReactNode {
  const { t } = useLingui();
  return addresses.map((address) => {
    const type = address.includes(':') ? 'AAAA' : 'A';
    return (
      <div key={address}>
        <CopyField label={t`Name of the ${type} record for ${address}`} value={host} />
        <CopyField label={t`Value of the ${type} record for ${address}`} value={address} />
      </div>
    );
  });
}
