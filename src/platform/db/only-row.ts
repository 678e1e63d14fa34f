/** The row of a statement that always returns one, such as a count. Throws if there is none. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres answered no row where there is always one');
  return row;
}
