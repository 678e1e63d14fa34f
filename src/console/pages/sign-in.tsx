import { Document } from '../page';

export function SignInPage({ problem }: { readonly problem: string | null }) {
  return (
    <Document title="Sign in">
      <main id="content" class="sign-in">
        <h1>Sign in</h1>
        <form method="post" action="/console/sign-in">
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
      </main>
    </Document>
  );
}
