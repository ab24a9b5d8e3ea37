import styles from './sites.module.css';

/** A site's address with its real host in bold: letters of other scripts may look like those of another host. */
export function SiteAddress({ url }: { readonly url: string }) {
  const { protocol, host, pathname } = new URL(url);
  return (
    <span className={styles['address']} translate="no" dir="ltr">
      {`${protocol}//`}
      <strong>{host}</strong>
      {pathname}
    </span>
  );
}

/** In the text of a line or title: host and path, without the scheme. */
export function shortAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : `${host}${pathname.replace(/\/$/, '')}`;
}
