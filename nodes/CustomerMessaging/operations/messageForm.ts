import { answerFormParameters } from '../ask/form';
import { byName, type Declaration, type Fields, type FormParameter, toForm } from '../fields/field';
import { scheduleForm } from '../schedule/form';
import { additionalFields } from './additionalFields';
import { extraBodyFields } from './extra';
import type { MessageOperation } from './messageOperation';
import { hasPlatforms } from './operation';
import { platformChoice, webOnlyNotice } from './platforms';
import { senderForm } from './sender';

const everyoneNotice: FormParameter = {
	displayName:
		'This reaches everyone. When you run it by hand, it only shows what it would send, unless When Run by Hand below says otherwise.',
	name: 'everyoneNotice',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'notice',
	default: '',
};

/** The form of one operation, in the order in which a user fills it in: recipient, message, sender, time, the rest. */
export function messageForm(entry: MessageOperation): FormParameter[] {
	return [
		...(entry.audience === 'everyone' ? [everyoneNotice] : []),
		...(hasPlatforms(entry) ? platformForm(entry) : []),
		...recipientForm(entry),
		...toForm(entry.required).map((property) => ({ ...property, required: true })),
		...(entry.sender ? senderForm(entry.sender) : []),
		...(entry.asks ? answerFormParameters : scheduleForm(entry.resource)),
		additionalFields({ ...entry.optional, extraBodyFields }),
	];
}

/** Whoever is asked has a phone at hand. */
function platformForm(entry: MessageOperation): FormParameter[] {
	const choice = { ...platformChoice, ...platformReach(entry) };
	return [entry.asks ? { ...choice, default: ['android', 'ios'] } : choice, webOnlyNotice];
}

/** To a single person, every platform is harmless. Of a broadcast, each one reaches other people. */
function platformReach({ audience, asks }: MessageOperation): Declaration {
	return audience === undefined
		? { reaches: 'recipient', modelMayFill: !asks }
		: { reaches: 'others', modelMayFill: false };
}

function recipientForm({ recipients }: MessageOperation): FormParameter[] {
	if (!recipients) return [];
	return [
		recipientChoice(recipients),
		...toForm(recipients).map((property) => ({
			...property,
			requiredIfChosen: true,
			displayOptions: { show: { recipientBy: [property.name] } },
		})),
	];
}

/** The choice of the field that names the recipient. A model must not choose one that may reach many people. */
export function recipientChoice(recipients: Fields): FormParameter {
	const ways = toForm(recipients);
	const firstWay = ways[0]?.name;
	const isPerson = ways.every(({ reaches }) => reaches === 'recipient');
	const modelMayFill = isPerson && ways.every((way) => way.modelMayFill);
	return {
		displayName: 'Recipient By',
		name: 'recipientBy',
		reaches: isPerson ? 'recipient' : 'audience',
		modelMayFill,
		type: 'options',
		default: firstWay,
		description: 'How to name the recipient',
		options: ways
			.map(({ displayName, name, description }) => ({
				name: displayName,
				value: name,
				description,
			}))
			.sort((a, b) => byName(a.name, b.name)),
	};
}
