import { unknownChoice } from '../../../nodes/CustomerMessaging/fields/choice';

const android = { name: 'Android', value: 'android' };
const ios = { name: 'iOS', value: 'ios' };
const web = { name: 'Web Browser', value: 'web' };

describe('What a person could have chosen', () => {
	it.each([
		[[web], 'Web Browser', 'web'],
		[[android, web], 'Android or Web Browser', 'android or web'],
		[[android, ios, web], 'Android, iOS or Web Browser', 'android, ios or web'],
	])('is listed for %j', (options, labels, values) => {
		expect(unknownChoice({ displayName: 'Platforms', options }, 'symbian')).toBe(
			`Platforms cannot be 'symbian'. Choose ${labels}. In an expression, write ${values}`,
		);
	});

	it('is listed by labels only where no expression is possible', () => {
		expect(
			unknownChoice(
				{ displayName: 'Platforms', options: [android, ios], noDataExpression: true },
				'',
			),
		).toBe('Platforms cannot be empty. Choose Android or iOS');
	});

	it('leaves out options that are fields of their own', () => {
		const field = { displayName: 'Tag', name: 'tag', type: 'string', default: '' } as const;
		expect(
			unknownChoice({ displayName: 'Platforms', options: [android, field, ios] }, ['web']),
		).toBe(
			'Platforms cannot be a list or object. Choose Android or iOS. In an expression, write android or ios',
		);
	});
});
