import { SIGN_IN_LINK_PATH } from '../../users/sign-in-link';
import { Document } from '../page';

/** What the link opens: a button, since programs that look at links in messages open them too. */
export function SignInLinkPage({
  name,
  secret,
}: {
  readonly name: string;
  readonly secret: string;
}) {
  return (
    <Document title="Sign in">
      <main id="content" class="sign-in">
        <h1>Sign in</h1>
        <form method="post" action={SIGN_IN_LINK_PATH}>
          <input type="hidden" name="secret" value={secret} />
          <p>{`This link signs you in as ${name}, once.`}</p>
          <button type="submit">Sign in</button>
        </form>
      </main>
    </Document>
  );
}

/** A link that is not good, or not good any more. */
export function NoSignInLinkPage({ problem }: { readonly problem: string }) {
  return (
    <Document title="Sign in">
      <main id="content" class="sign-in">
        <h1>Sign in</h1>
        <p role="alert">{problem}</p>
        <p>
          With a token you <a href="/console/sign-in">sign in here</a>.
        </p>
      </main>
    </Document>
  );
}
