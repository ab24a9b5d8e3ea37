/* The block `podstead/player` in the editor. The server draws it: its title and texts come from there. */
((blocks, blockEditor, element, ServerSideRender) => {
  blocks.registerBlockType('podstead/player', {
    edit: (props) =>
      element.createElement(
        'div',
        blockEditor.useBlockProps(),
        element.createElement(ServerSideRender, {
          block: 'podstead/player',
          urlQueryArgs: { post_id: props.context.postId },
        }),
      ),
    save: () => null,
  });
})(window.wp.blocks, window.wp.blockEditor, window.wp.element, window.wp.serverSideRender);
