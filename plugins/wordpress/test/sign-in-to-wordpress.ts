import type { Browser, BrowserContext } from 'playwright-core';
import type { WordPress } from './start-wordpress.ts';

/** A browser in which the site's administrator is signed in. */
export async function signIn(browser: Browser, wordpress: WordPress): Promise<BrowserContext> {
  const cookies = await wordpress.read<Record<string, string>>(`
    $until = time() + DAY_IN_SECONDS;
    $token = WP_Session_Tokens::get_instance( 1 )->create( $until );
    echo json_encode( array(
      SECURE_AUTH_COOKIE => wp_generate_auth_cookie( 1, $until, 'secure_auth', $token ),
      LOGGED_IN_COOKIE => wp_generate_auth_cookie( 1, $until, 'logged_in', $token ) ) );`);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const { url } = wordpress;
  await context.addCookies(
    Object.entries(cookies).map(([name, value]) => ({ name, value, url, secure: true })),
  );
  return context;
}
