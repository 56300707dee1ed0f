import { parser } from '@prometheus-io/lezer-promql';
import type { SyntaxNode, Tree } from '@lezer/common';

/** The labels of a result, or `scalar`. */
export type Labels = ReadonlySet<string> | 'scalar';

/** The labels of the series with a name. @throws Error if there is no such metric */
export type LabelsByName = (name: string) => ReadonlySet<string>;

/** Aggregations that return some of their input series, labels included. */
const selections = new Set(['topk', 'bottomk', 'limitk', 'limit_ratio']);
const scalarFunctions = new Set(['time', 'scalar', 'pi', 'start', 'end', 'range', 'step']);
/** Add one label to each series; its name is their first string argument. */
const labelFunctions = new Set(['label_replace', 'label_join']);
const setOperators = new Set(['and', 'or', 'unless']);

/**
 * The labels of a PromQL expression's result. Rejects expressions for which Prometheus silently
 * returns nothing: matchers and groupings by labels that a metric does not have, and operands whose
 * labels never match.
 * @throws Error if the expression does not parse
 */
export function labelsOf(expression: string, byName: LabelsByName): Labels {
  const { promql, tree } = parsed(expression);
  return new LabelInference(promql, byName).labelsOf(tree.topNode.firstChild);
}

/** The names of the series that an expression reads, once for each time. @throws Error if it does not parse */
export function namesIn(expression: string): string[] {
  const { promql, tree } = parsed(expression);
  const names: string[] = [];
  tree.iterate({
    enter: ({ name, node }) => {
      const identifier = name === 'VectorSelector' ? node.getChild('Identifier') : null;
      if (identifier !== null) names.push(promql.slice(identifier.from, identifier.to));
    },
  });
  return names;
}

function parsed(expression: string): { promql: string; tree: Tree } {
  // Grafana's variables are numbers or durations here; inside strings their value does not affect labels.
  const promql = expression.replaceAll(/\$(?:\w+|\{[^}]*\})/g, '1');
  const tree = parser.parse(promql);
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) throw new Error(`not PromQL at “${promql.slice(from, from + 20)}”`);
    },
  });
  return { promql, tree };
}

/** Derives labels from the leaves of a syntax tree to its root. Node names: promql.grammar of the parser. */
class LabelInference {
  readonly #promql: string;
  readonly #byName: LabelsByName;

  constructor(promql: string, byName: LabelsByName) {
    this.#promql = promql;
    this.#byName = byName;
  }

  labelsOf(node: SyntaxNode | null): Labels {
    switch (node?.name) {
      case 'NumberDurationLiteral':
        return 'scalar';
      case 'VectorSelector':
        return this.#selector(node);
      case 'FunctionCall':
        return this.#call(node);
      case 'AggregateExpr':
        return this.#aggregation(node);
      case 'BinaryExpr':
        return this.#operation(node);
      case 'UnaryExpr':
        return this.labelsOf(node.lastChild);
      case 'ParenExpr':
      case 'MatrixSelector':
      case 'SubqueryExpr':
      case 'OffsetExpr':
      case 'StepInvariantExpr':
        return this.labelsOf(node.firstChild);
      default:
        throw new Error(`unsupported PromQL: ${this.#text(node)}`);
    }
  }

  #selector(node: SyntaxNode): Labels {
    const name = this.#text(node.getChild('Identifier'));
    const labels = this.#byName(name);
    const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    const matched = matchers.map((matcher) => this.#text(matcher.getChild('LabelName')));
    requireLabels(labels, matched, `${name}{…}`);
    return labels;
  }

  #call(node: SyntaxNode): Labels {
    const name = this.#text(node.getChild('FunctionIdentifier'));
    const { vectors, string } = this.#arguments(node);
    if (scalarFunctions.has(name)) return 'scalar';
    if (name === 'vector') return new Set();
    const [labels] = vectors;
    if (labels === undefined) return 'scalar';
    if (labelFunctions.has(name)) return union(labels, [string]);
    if (name !== 'histogram_quantile') return labels;
    requireLabels(labels, ['le'], name);
    return difference(labels, ['le']);
  }

  #aggregation(node: SyntaxNode): Labels {
    const name = this.#text(node.getChild('AggregateOp'));
    const modifier = node.getChild('AggregateModifier');
    const grouping = this.#text(modifier?.firstChild ?? null) || 'by';
    const listed = this.#labelNames(modifier?.getChild('GroupingLabels'));
    const { vectors, string } = this.#arguments(node);
    const labels = vectors.at(-1);
    if (labels === undefined) throw new Error(`${name} without series`);
    requireLabels(labels, listed, `${name} ${grouping}`);
    if (selections.has(name)) return labels;
    const kept = grouping === 'by' ? new Set(listed) : difference(labels, listed);
    return name === 'count_values' ? union(kept, [string]) : kept;
  }

  /** The labels of the arguments that are vectors, and the first string. */
  #arguments(node: SyntaxNode): { vectors: ReadonlySet<string>[]; string: string } {
    const nodes = childrenOf(node.getChild('FunctionCallBody'));
    const text = nodes.find(({ name }) => name === 'StringLiteral');
    const labels = nodes
      .filter(({ name }) => name !== 'StringLiteral')
      .map((each) => this.labelsOf(each));
    return {
      vectors: labels.filter((each) => each !== 'scalar'),
      string: this.#text(text ?? null).slice(1, -1),
    };
  }

  #operation(node: SyntaxNode): Labels {
    const [left, right] = [this.labelsOf(node.firstChild), this.labelsOf(node.lastChild)];
    const sign = this.#text(node.firstChild?.nextSibling ?? null);
    const clause = node.getChild('MatchingModifierClause');
    if (clause === null) return combine(sign, left, right);
    const [matching, including] = clause.getChildren('GroupingLabels');
    return combine(sign, left, right, {
      how: this.#text(clause.firstChild),
      labels: this.#labelNames(matching),
      side: clause.getChild('GroupRight') ? 'right' : clause.getChild('GroupLeft') ? 'left' : null,
      included: this.#labelNames(including),
    });
  }

  #labelNames(list: SyntaxNode | null | undefined): string[] {
    return (list?.getChildren('LabelName') ?? []).map((node) => this.#text(node));
  }

  #text(node: SyntaxNode | null): string {
    return node === null ? '' : this.#promql.slice(node.from, node.to);
  }
}

function childrenOf(node: SyntaxNode | null): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node?.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

interface Matching {
  /** `on` or `ignoring`. */
  how: string;
  labels: string[];
  /** The “many” side of `group_left` or `group_right`. */
  side: 'left' | 'right' | null;
  /** Labels that this side takes over from the other. */
  included: string[];
}

function combine(sign: string, left: Labels, right: Labels, match?: Matching): Labels {
  if (left === 'scalar') return right;
  if (right === 'scalar') return left;
  if (sign === 'or') return union(left, right);
  const isSet = setOperators.has(sign);
  if (match?.how === 'on') {
    requireLabels(left, match.labels, `left of ${sign} on`);
    requireLabels(right, match.labels, `right of ${sign} on`);
    if (isSet) return left;
    if (match.side === null) return new Set(match.labels);
    return union(match.side === 'right' ? right : left, match.included);
  }
  const ignored = match?.labels ?? [];
  const differing = [...difference(left, right), ...difference(right, left)];
  const unmatched = difference(new Set(differing), ignored);
  if (unmatched.size > 0) {
    throw new Error(`the sides of ${sign} never match: ${[...unmatched].join(', ')}`);
  }
  return isSet ? left : difference(left, ignored);
}

function union(some: Iterable<string>, others: Iterable<string>): ReadonlySet<string> {
  return new Set([...some, ...others]);
}

function difference(some: ReadonlySet<string>, others: Iterable<string>): ReadonlySet<string> {
  const left = new Set(some);
  for (const label of others) left.delete(label);
  return left;
}

function requireLabels(
  labels: ReadonlySet<string>,
  required: readonly string[],
  where: string,
): void {
  const missing = required.filter((label) => !labels.has(label));
  if (missing.length > 0) throw new Error(`${where}: no label ${missing.join(', ')}`);
}
