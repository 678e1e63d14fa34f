import type { Viewer } from '../../users/sql/users';

/** What to do next, for somebody to whom no store is shown. */
export function WithoutStores({ viewer: { userId, seesAll } }: { readonly viewer: Viewer }) {
  return (
    <section>
      <h2>Begin here</h2>
      {seesAll ? (
        <>
          <p>There are no stores yet. An operator makes the first one for a user:</p>
          <p>
            <code>
              admin store create --name Centro --country MX --time-zone America/Mexico_City --user
              usr_…
            </code>
          </p>
          <p>Then it is connected to a delivery app, and its menu can be sent:</p>
          <p>
            <code>
              admin store connect --store 1 --integration 2 --delivery-id … --credential …
            </code>
          </p>
        </>
      ) : (
        <>
          <p>
            You have no store yet, so there is nothing to see. If your restaurant is here already,
            ask an operator to give you its store:
          </p>
          <p>
            <code>{`admin store grant --store … --user ${userId}`}</code>
          </p>
          <p>
            If it is new, your program creates it with <code>POST /api/v1/store</code>, and an
            operator connects it to the delivery apps. <a href="/docs">The documentation</a> shows
            how. Then you see here what is live, what waits, and what went wrong.
          </p>
        </>
      )}
    </section>
  );
}
