/**
 * Remembers for each key the value that came first, and answers it from then on. For `wasTried`: a call of an earlier
 * activity may have had an effect that nobody recorded, as when its process died; what this one did itself is known.
 */
export function createFirstSeen<T>(): (key: string, value: T) => T {
  const first = new Map<string, T>();
  return (key, value) => {
    if (!first.has(key)) first.set(key, value);
    return first.get(key) ?? value;
  };
}
