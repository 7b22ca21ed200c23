import { toText } from '../../../json';
import { isObject, type Problem } from '../../../terms';
import { Text } from '../Text';

const mostShown = 200;

interface Props {
	/** The users or the events of a request. */
	list: unknown[];
	/** Shown in a column each, by the headings of the columns. The others share the last one. */
	columns: Record<string, string>;
	problems: Problem[];
}

export function ListView({ list, columns, problems }: Props) {
	return (
		<figure class="list-view" tabIndex={0} aria-label="What the request lists">
			<table>
				<thead>
					<tr>
						{[...Object.keys(columns), 'Other attributes'].map((heading) => (
							<th key={heading} scope="col">
								{heading}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{list.slice(0, mostShown).map((element, index) => (
						<Line
							key={index}
							element={element}
							keys={Object.values(columns)}
							isRefused={problems.some(({ path }) => path.startsWith(`nv[${index}]`))}
						/>
					))}
				</tbody>
			</table>
			{list.length > mostShown && (
				<figcaption>
					and {(list.length - mostShown).toLocaleString()} more, in the request below
				</figcaption>
			)}
		</figure>
	);
}

function Line(props: { element: unknown; keys: string[]; isRefused: boolean }) {
	const { element, keys, isRefused } = props;
	const {
		user_attributes,
		attributes = user_attributes,
		...own
	} = isObject(element) ? element : {};
	const values = { ...(isObject(attributes) ? attributes : {}), ...own };
	const others = Object.entries(values).filter(([key]) => !keys.includes(key));
	return (
		<tr class={isRefused ? 'is-refused' : ''}>
			{keys.map((key, index) => (
				<td key={key}>
					<Text of={toText(values[key])} />
					{index === 0 && isRefused && <span class="outcome bad">Refused</span>}
				</td>
			))}
			<td>
				{others.map(([key, value]) => (
					<span key={key} class="attribute">
						<Text of={`${key}: ${toText(value)}`} />
					</span>
				))}
			</td>
		</tr>
	);
}
