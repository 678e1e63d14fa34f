import { Document } from '../page';

export function SignInPage({
  problem,
  next,
}: {
  readonly problem: string | null;
  /** The page to go to afterwards; undefined: the overview. */
  readonly next: string | undefined;
}) {
  return (
    <Document title="Sign in">
      <main id="content" class="sign-in">
        <h1>Sign in</h1>
        <form method="post" action="/console/sign-in">
          {next && <input type="hidden" name="next" value={next} />}
          <label>
            Token
            <input
              name="token"
              type="password"
              autocomplete="off"
              required
              aria-describedby="token-note"
            />
          </label>
          <p id="token-note">
            The bearer token of a user, as the API takes it. You see what the API would show to that
            user.
          </p>
          {problem && <p role="alert">{problem}</p>}
          <button type="submit">Sign in</button>
        </form>
        {/* Browsers do not send the cookie with a link from another site, such as a chat. */}
        {next && (
          <p>
            If you have signed in already: <a href={next}>go on to the page</a>.
          </p>
        )}
      </main>
    </Document>
  );
}
