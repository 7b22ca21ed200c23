import { useId, useState } from 'preact/hooks';

interface Props {
	label: string;
	min: number;
	max?: number;
	value: number;
	/** Called with whole numbers within the bounds only. */
	onChange: (value: number) => void;
	/** A wrong entry stays in its field, so that its form can refuse it. Elsewhere, leaving the field takes it back. */
	isInForm?: boolean;
}

/** A whole number, passed on when it is complete. A wrong one is not passed on, and the reason is shown below it. */
export function NumberField({ label, min, max, value, onChange, isInForm = false }: Props) {
	// Server events must not overwrite what is being typed.
	const [draft, setDraft] = useState<string>();
	const [isWrong, setIsWrong] = useState(false);
	const reasonId = useId();

	const type = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
		setDraft(input.value);
		if (input.validity.valid) setIsWrong(false);
	};
	// If the entry is wrong, the check makes the browser call onInvalid.
	const commit = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
		if (!input.checkValidity()) return;
		setDraft(undefined);
		onChange(input.valueAsNumber);
	};
	const takeBack = () => {
		setDraft(undefined);
		setIsWrong(false);
	};
	return (
		<div class="field">
			<label>
				{label}
				<input
					type="number"
					required
					step={1}
					{...{ min, max }}
					value={draft ?? value}
					aria-invalid={isWrong}
					aria-describedby={isWrong ? reasonId : undefined}
					onInput={type}
					onChange={commit}
					onInvalid={() => setIsWrong(true)}
					onBlur={isInForm ? undefined : takeBack}
				/>
			</label>
			<p class="problem" role="alert" id={reasonId}>
				{isWrong &&
					`Enter a whole number ${max === undefined ? `of ${min} or more` : `from ${min} to ${max}`}.`}
			</p>
		</div>
	);
}
