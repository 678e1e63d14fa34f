-- Where the latest push of a publication went: the app, its address, our client and the store there, as
-- `src/uploads/sql/upload-target.ts` writes them. What was live in one place says nothing about another. Empty: nothing
-- was pushed since the integration got another app. Null: pushed by a release before, or never.
alter table publication add column pushed_to text;
