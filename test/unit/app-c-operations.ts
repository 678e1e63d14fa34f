/** What an operation of a task says about an item. */
export function failure(appItemID: string, message: string) {
  return { status: 0, message, itemID: '3458764739727720401', itemName: 'Name', appItemID };
}

/** One operation of a task. */
export function operation(operationType: string, ...failedList: readonly unknown[]) {
  return { operationType, successList: [], failedList };
}

/** The last operation, with its list as JSON text. */
export function lastWords(...refusals: readonly unknown[]) {
  return operation('uploadTaskDone', { status: 0, message: JSON.stringify(refusals) });
}
