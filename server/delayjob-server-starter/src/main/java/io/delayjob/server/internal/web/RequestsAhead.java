package io.delayjob.server.internal.web;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes a connection of Reactor Netty on which much is sent out of turn. More requests before an answer is there: Reactor Netty keeps them all until then, and
 * an answer may take long, that to a claim a minute, and a stream of events is without end. More of a body after its request was refused: it is read as fast as
 * it comes, and thrown away.
 */
final class RequestsAhead extends ChannelDuplexHandler {

    private static final int MOST_AHEAD = 256 * 1024;

    /** The cost of a request besides its body. */
    private static final int HEAD_BYTES = 4096;

    private final long mostAfterAnswer;
    private int unanswered;
    private long ahead;
    private long afterAnswer;

    /**
     * A connection on which nothing was sent.
     *
     * @param mostAfterAnswer how many bytes of a body are read after the answer
     */
    RequestsAhead(long mostAfterAnswer) {
        this.mostAfterAnswer = mostAfterAnswer;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            unanswered++;
            afterAnswer = 0;
        }
        if (unanswered > 1) {
            ahead += bytes(message);
        } else if (unanswered == 0) {
            afterAnswer += bytes(message);
        }
        if (ahead > MOST_AHEAD || afterAnswer > mostAfterAnswer) {
            ReferenceCountUtil.release(message);
            var unused = context.close();
        } else {
            context.fireChannelRead(message);
        }
    }

    private static int bytes(Object message) {
        return (message instanceof HttpRequest ? HEAD_BYTES : 0)
                + (message instanceof HttpContent part ? part.content().readableBytes() : 0);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise written) {
        if (message instanceof LastHttpContent && !isInterim(message) && --unanswered <= 1) {
            ahead = 0;
        }
        var unused = context.write(message, written);
    }

    private static boolean isInterim(Object message) {
        return message instanceof HttpResponse answer && answer.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    }
}
