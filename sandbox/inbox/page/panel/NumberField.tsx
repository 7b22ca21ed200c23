import { useState } from 'preact/hooks';

interface Props {
	label: string;
	min: number;
	max?: number;
	value: number;
	onChange: (value: number) => void;
}

/** A whole number, passed on when it is complete; what is none is not passed on. */
export function NumberField({ label, min, max, value, onChange }: Props) {
	// What is being typed, which nothing that happens meanwhile may overwrite.
	const [draft, setDraft] = useState<string>();
	const commit = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
		if (!input.validity.valid) return void input.reportValidity();
		setDraft(undefined);
		onChange(input.valueAsNumber);
	};
	return (
		<label class="field">
			{label}
			<input
				type="number"
				required
				step={1}
				{...{ min, max }}
				value={draft ?? value}
				onInput={({ currentTarget }) => setDraft(currentTarget.value)}
				onChange={commit}
			/>
		</label>
	);
}
