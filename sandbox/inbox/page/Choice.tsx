interface Props<Value extends string> {
	label: string;
	/** The label for no choice, if a choice is optional. */
	all?: string;
	value: Value | '';
	options: Partial<Record<Value, string>>;
	onChoose: (value: Value | '') => void;
}

/** A select whose values are the keys of its labels. */
export function Choice<Value extends string>({
	label,
	all,
	value,
	options,
	onChoose,
}: Props<Value>) {
	const isValue = (text: string): text is Value => Object.hasOwn(options, text);
	const choose = (text: string) => onChoose(isValue(text) ? text : '');
	return (
		<select
			aria-label={label}
			class={all && value !== '' ? 'is-set' : ''}
			value={value}
			onChange={({ currentTarget }) => choose(currentTarget.value)}
		>
			{all && <option value="">{all}</option>}
			{Object.entries<string | undefined>(options).map(([name, words]) => (
				<option key={name} value={name}>
					{words}
				</option>
			))}
		</select>
	);
}
