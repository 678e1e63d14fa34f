import { parser } from '@prometheus-io/lezer-promql';

/** One metric that an expression reads. */
export interface Selector {
  readonly metric: string;
  /**
   * Label, and the values that are asked for; those of a pattern are its alternatives. A matcher
   * that excludes values asks for none: they may not have occurred.
   */
  readonly matchers: readonly (readonly [label: string, values: readonly string[]])[];
}

export interface Expression {
  readonly selectors: readonly Selector[];
  /** Labels that results are grouped by. */
  readonly grouping: readonly string[];
}

type Node = ReturnType<typeof parser.parse>['topNode'];

/** Parses a PromQL expression by Prometheus' own grammar; throws if it is invalid. */
export function readExpression(text: string): Expression {
  const tree = parser.parse(text);
  const selectors: Selector[] = [];
  const grouping: string[] = [];
  tree.iterate({
    enter({ type, node, from }) {
      if (type.isError) throw new Error(`no PromQL at character ${from}: ${text}`);
      if (type.name === 'VectorSelector') selectors.push(selectorOf(text, node));
      if (type.name === 'GroupingLabels') grouping.push(...wordsOf(text, node, 'LabelName'));
    },
  });
  return { selectors, grouping };
}

function selectorOf(text: string, node: Node): Selector {
  const [metric = ''] = wordsOf(text, node, 'Identifier');
  const labels = node.getChild('LabelMatchers');
  const matchers = (labels?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => {
    const [label = ''] = wordsOf(text, matcher, 'LabelName');
    const [quoted = '""'] = wordsOf(text, matcher, 'StringLiteral');
    const [operator = ''] = wordsOf(text, matcher, 'MatchOp');
    return [label, operator.startsWith('!') ? [] : quoted.slice(1, -1).split('|')] as const;
  });
  return { metric, matchers };
}

function wordsOf(text: string, node: Node, name: string): string[] {
  return node.getChildren(name).map(({ from, to }) => text.slice(from, to));
}
